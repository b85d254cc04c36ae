import { isIPv6 } from 'node:net'

/**
 * What stands for a client when it is counted: its IPv4 address, or the first 64 bits of its IPv6 address, since whoever
 * has one address of such a network has them all (RFC 4291, section 2.5.4).
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [text = ''] = address.split('%')
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1]
  if (embedded) return embedded
  const [before = '', after] = text.split('::')
  const head = before ? before.split(':') : []
  const tail = after ? after.split(':') : []
  const zeros = after === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).map(withoutLeadingZeros).join(':')}::/64`
}

const withoutLeadingZeros = (group: string) => group.toLowerCase().replace(/^0+(?=.)/, '')
