/** Limits on the CPU time of the process. Browsers do not report CPU time. */

/** The part of Node's `process` that reports CPU time. */
interface CpuMeter {
  readonly cpuUsage?: (since?: { readonly user: number; readonly system: number }) => {
    readonly user: number
    readonly system: number
  }
}

/**
 * Starts a limit for work that begins now. The returned function reports whether the work has taken longer. Time that
 * other programs used the processor does not count, where the host can measure it.
 */
export function startCpuLimit(milliseconds: number): () => boolean {
  const start = performance.now()
  const process: CpuMeter | undefined = globalThis.process
  const startUsage = process?.cpuUsage?.()
  return () => {
    if (performance.now() - start <= milliseconds) return false
    const used = startUsage === undefined ? undefined : process?.cpuUsage?.(startUsage)
    return used === undefined || (used.user + used.system) / 1000 > milliseconds
  }
}
