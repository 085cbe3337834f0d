/** Limits the CPU time of work. In browsers, which do not report CPU time, the wall time is limited. */

/** The part of Node's `process` that reports CPU time. Browsers do not have it. */
interface CpuMeter {
  readonly cpuUsage?: (since?: { readonly user: number; readonly system: number }) => {
    readonly user: number
    readonly system: number
  }
}

/**
 * Starts a limit for work that begins now. The returned function reports whether the work has exceeded the limit. Where the host can
 * measure CPU time, the time that other programs used the processor is not counted.
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
