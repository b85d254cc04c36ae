/**
 * Whether a redirect to the path stays on this site. Rejects text that a browser could read as the address of another
 * site: browsers drop control characters and treat `\` as `/`.
 */
export function isPathOfThisSite(path: string): boolean {
  const [beforeQuery = ''] = path.split('?')
  return (
    path.startsWith('/') && !/^\/[/\\]/.test(path) && !/\/\/|\\/.test(beforeQuery) && !/\\|\p{Cc}/u.test(path)
  )
}
