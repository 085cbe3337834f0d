/** Reads facts about a process and its descendants from Linux. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Clock ticks per second, the unit of CPU time. */
const TICKS = 100

/** Returns the ids of the running children of a process. */
export function childPids(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** Returns the ids of all running processes below a process; none when it has ended. */
export function descendantPids(pid: number): readonly number[] {
  try {
    return childPids(pid).flatMap((child) => [child, ...descendantPids(child)])
  } catch {
    return []
  }
}

/** Limits a process and all processes below it to the first processor, so that a client can use the others. */
export function limitToOneProcessor(pid: number): void {
  for (const each of [pid, ...descendantPids(pid)]) {
    const { status, stderr } = spawnSync('taskset', ['-acp', '0', String(each)], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`taskset: ${stderr}`)
  }
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
