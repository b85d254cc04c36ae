// Not in account.ts, so that the browser app does not load the schemas.

/** The pictures that a profile can have. */
export const profilePictureKinds = ['picture', 'cover'] as const
export type ProfilePictureKind = (typeof profilePictureKinds)[number]

/** The sizes in pixels to which the server crops them. */
export const profilePictureSizes = {
  picture: { width: 400, height: 400 },
  cover: { width: 1500, height: 500 },
} as const satisfies Record<ProfilePictureKind, { width: number; height: number }>

/** The maximum size of a file that a user uploads as a picture, in bytes. */
export const maxPictureBytes = 10 * 1024 * 1024
