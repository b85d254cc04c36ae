export async function lighthouseScores(_url: string, _cookie: string): Promise<unknown> {
  return {}
}
