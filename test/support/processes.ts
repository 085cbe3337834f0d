/** What Linux tells of a process and of all that it has started. */
import { readFileSync } from 'node:fs'

/** Ticks of the clock in which processor time is counted, in a second. */
const TICKS = 100

/** Ids of the processes that a process has started and that live. */
export function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** Seconds of processor time that a process has taken. */
export function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // utime and stime: fields 14 and 15 of the line, of which two were cut off.
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** The same with that of all below it. */
export function cpuOfAll(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + cpuOfAll(child), cpuOf(pid))
}

/** Bytes of resident memory of a process and of all below it. */
export function residentOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return childrenOf(pid).reduce((sum, child) => sum + residentOf(child), Number(kilobytes) * 1024)
}
