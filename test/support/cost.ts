/**
 * Starts to measure what is done next: gives the milliseconds that it has taken so far. They are the lesser of the time that passed, which
 * other programs lengthen, and of what the processor worked, which the threads of the garbage collector lengthen.
 */
export function measureCost(): () => number {
  const start = performance.now()
  const worked = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(worked)
    return Math.min(performance.now() - start, (user + system) / 1000)
  }
}
