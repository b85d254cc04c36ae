import ipaddr from 'ipaddr.js'

/** Hosts and networks outside of the public web to which the operator lets the server send requests. */
export interface AllowedHosts {
  readonly names: ReadonlySet<string>
  readonly networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]
}

export const noAllowedHosts: AllowedHosts = { names: new Set(), networks: [] }

/**
 * Parses a list of host names, addresses and networks (`10.0.0.0/8`), separated by commas or white space.
 * @throws RangeError
 */
export function parseAllowedHosts(text: string): AllowedHosts {
  const entries = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const names = new Set<string>()
  const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = []
  for (const entry of entries) {
    if (ipaddr.isValidCIDR(entry)) networks.push(ipaddr.parseCIDR(entry))
    else if (ipaddr.isValid(entry)) {
      const address = ipaddr.parse(entry)
      networks.push([address, address.kind() === 'ipv4' ? 32 : 128])
    } else if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(entry))
      names.add(entry)
    else
      throw new RangeError(
        `expected hosts and networks such as lms.school.example or 10.0.0.0/8, got "${text}"`,
      )
  }
  return { names, networks }
}

/** Whether an IP address is in one of the networks. */
export function isInNetworks({ networks }: AllowedHosts, address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits))
}
