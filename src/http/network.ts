import { isIPv6 } from 'node:net'

/**
 * Returns the key under which a client is counted: its IPv4 address, or the first 64 bits of its IPv6
 * address, because a client usually has all addresses of such a network (RFC 4291, section 2.5.4).
 */
export const networkOf = (address: string): string => prefixOf(address, 4)

/**
 * Returns the first 48 bits of an IPv6 address. A site has at most the 65,536 networks with this prefix (RFC
 * 6177). An IPv4 address, which often stands for a whole site, is returned unchanged.
 */
export const siteOf = (address: string): string => prefixOf(address, 3)

function prefixOf(address: string, groups: number): string {
  if (!isIPv6(address)) return address
  const [text = ''] = address.split('%')
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1]
  if (embedded) return embedded
  const [before = '', after] = text.split('::')
  const head = before ? before.split(':') : []
  const tail = after ? after.split(':') : []
  const zeros = after === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0')
  const first = [...head, ...zeros, ...tail].slice(0, groups).map(withoutLeadingZeros).join(':')
  return `${first}::/${groups * 16}`
}

const withoutLeadingZeros = (group: string) => group.toLowerCase().replace(/^0+(?=.)/, '')
