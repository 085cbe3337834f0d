/** What the process has worked, where the host counts that: a browser does not. */
interface Host {
  readonly cpuUsage?: (since?: { readonly user: number; readonly system: number }) => {
    readonly user: number
    readonly system: number
  }
}

/**
 * A limit for work that begins now: tells whether it has taken longer. Time in which other programs had the processor does not count,
 * where the host tells it apart.
 */
export function effortLimit(milliseconds: number): () => boolean {
  const begun = performance.now()
  const host = (globalThis as { readonly process?: Host }).process
  const worked = host?.cpuUsage?.()
  return () => {
    if (performance.now() - begun <= milliseconds) return false
    const now = worked === undefined ? undefined : host?.cpuUsage?.(worked)
    return now === undefined || (now.user + now.system) / 1000 > milliseconds
  }
}
