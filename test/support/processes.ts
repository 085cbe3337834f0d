/** Reads facts about a process and its descendants from Linux. */
import { readFileSync } from 'node:fs'

/** Clock ticks per second, the unit of CPU time. */
const TICKS = 100

/** Returns the ids of the running children of a process. */
export function childPids(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** Returns the CPU time of a process in seconds. */
export function cpuSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // utime and stime: fields 14 and 15 of the line. The first two fields were cut off.
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** Returns the CPU time of a process and its descendants in seconds. */
export function totalCpuSeconds(pid: number): number {
  return childPids(pid).reduce((sum, child) => sum + totalCpuSeconds(child), cpuSeconds(pid))
}

/** Returns the resident memory of a process and its descendants in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return childPids(pid).reduce((sum, child) => sum + residentBytes(child), Number(kilobytes) * 1024)
}
