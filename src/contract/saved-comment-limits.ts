/** How many comments an account can save. */
export const maxSavedComments = 200
/** The longest comment that can be saved, in characters. */
export const maxSavedCommentLength = 1000
