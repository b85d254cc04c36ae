interface HasUuid {
  readonly uuid?: string | undefined
}

/**
 * Pairs the parts or measures of two revisions by their uuids, and those without a partner by their position. Returns
 * every member of both lists exactly once, with its counterpart if it has one, in the order of `after`. Members of `before`
 * without one are at the end.
 */
export function pairByUuid<T extends HasUuid>(
  before: readonly T[],
  after: readonly T[],
): [T | undefined, T | undefined][] {
  const byUuid = new Map<string, T>()
  for (const member of before) if (member.uuid !== undefined) byUuid.set(member.uuid, member)
  const partners = after.map(({ uuid }) => (uuid === undefined ? undefined : byUuid.get(uuid)))
  const matched = new Set(partners)
  const paired: [T | undefined, T | undefined][] = after.map((member, index) => {
    let partner = partners[index]
    if (partner === undefined && !matched.has(before[index])) {
      partner = before[index]
      matched.add(partner)
    }
    return [partner, member]
  })
  for (const member of before) if (!matched.has(member)) paired.push([member, undefined])
  return paired
}
