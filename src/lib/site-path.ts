/**
 * Whether it is a path of this site, wherever a browser is sent with it. What a browser could read as an address of another
 * site is none: it drops control characters, and takes `\` for `/`.
 */
export function isPathOfThisSite(path: string): boolean {
  const [beforeQuery = ''] = path.split('?')
  return path.startsWith('/') && !/^\/[/\\]/.test(path) && !/\/\/|\\/.test(beforeQuery) && !/\\|\p{Cc}/u.test(path)
}
