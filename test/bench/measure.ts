/** Measuring within one process: contestants take turns, so that what disturbs the machine disturbs them alike. */

export interface Contestant {
  readonly name: string
  /** One unit of work. */
  readonly run: () => void
}

/** Units of work in one CPU second, round by round. */
export type Rates = ReadonlyMap<string, readonly number[]>

/**
 * Lets the contestants run in turns.
 * @param rounds how many turns each takes
 * @param seconds CPU time of one turn
 */
export function interleave(contestants: readonly Contestant[], rounds: number, seconds: number): Rates {
  for (const { run } of contestants) rate(run, seconds * 2)
  const rates = new Map<string, number[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      // Nobody is always the one behind the same neighbour.
      const { name, run } = contestants[(turn + round) % contestants.length]!
      rates.get(name)!.push(rate(run, seconds))
    }
  }
  return rates
}

/** Runs for about `seconds` of CPU time and gives the runs in a CPU second of the whole process, collector included. */
function rate(run: () => void, seconds: number): number {
  const budget = seconds * 1e6
  const start = process.cpuUsage()
  let count = 0
  let batch = 1
  for (;;) {
    for (let at = 0; at < batch; at++) run()
    count += batch
    const { user, system } = process.cpuUsage(start)
    const used = user + system
    if (used >= budget) return (count / used) * 1e6
    // Ask for the time rarely, and do not overshoot the budget.
    batch = Math.max(1, Math.min(batch * 2, Math.floor((count / used) * (budget - used))))
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of the ratios of two contestants, taken round by round. */
export function ratio(rates: Rates, of: string, to: string): number {
  const below = rates.get(to)!
  return median(rates.get(of)!.map((value, round) => value / below[round]!))
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** Bytes that one run allocates on the heap of JavaScript, between two collections. Needs `--expose-gc`. */
export function allocation(run: () => void): number {
  const once = grown(run, 1)
  // Enough runs to be seen, not so many that the collector comes by itself.
  return grown(run, Math.max(1, Math.min(500, Math.floor(1e6 / once))))
}

function grown(run: () => void, times: number): number {
  const turns: number[] = []
  for (let turn = 0; turn < 15; turn++) {
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    for (let at = 0; at < times; at++) run()
    const bytes = process.memoryUsage().heapUsed - before
    if (bytes > 0) turns.push(bytes / times)
  }
  return turns.length === 0 ? 1 : median(turns)
}

export interface AsyncContestant {
  readonly name: string
  readonly run: () => Promise<unknown>
}

/**
 * As `interleave` for work that waits for others, a database above all: runs in one second of wall time, one after another.
 * @param seconds wall time of one turn
 */
export async function interleaveAsync(
  contestants: readonly AsyncContestant[],
  rounds: number,
  seconds: number,
): Promise<Rates> {
  for (const { run } of contestants) await wallRate(run, seconds)
  const rates = new Map<string, number[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const { name, run } = contestants[(turn + round) % contestants.length]!
      rates.get(name)!.push(await wallRate(run, seconds))
    }
  }
  return rates
}

async function wallRate(run: () => Promise<unknown>, seconds: number): Promise<number> {
  const start = performance.now()
  let count = 0
  for (;;) {
    await run()
    count++
    const used = performance.now() - start
    if (used >= seconds * 1000) return (count / used) * 1000
  }
}

/**
 * What several servers do in a second, in turns, each of them first in its turn: all are warm before the first.
 * @param load asks a server for some seconds, and gives the answers in a second
 * @returns the rates of each server, a round each
 */
export async function inTurns<T>(
  servers: readonly T[],
  load: (server: T, seconds: number) => Promise<number>,
  { rounds, seconds, warm }: { readonly rounds: number; readonly seconds: number; readonly warm: number },
): Promise<readonly (readonly number[])[]> {
  for (const server of servers) await load(server, warm)
  const rates = servers.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < servers.length; turn++) {
      const which = (turn + round) % servers.length
      rates[which]!.push(await load(servers[which]!, seconds))
    }
  return rates
}

/**
 * The rows of a table of peers: how many answers each gives in a second, and how many times as many ours.
 * @param rates ours first, as `inTurns` gives them
 * @param peers name and goal of each of the others
 */
export function peerRows(
  rates: readonly (readonly number[])[],
  peers: readonly { readonly name: string; readonly goal: string }[],
): string[][] {
  const [ours = [], ...others] = rates
  return peers.map(({ name, goal }, at) => {
    const theirs = others[at] ?? []
    const ratio = median(ours.map((rate, round) => rate / theirs[round]!))
    return [name, median(theirs).toFixed(0), median(ours).toFixed(0), `${ratio.toFixed(2)}x`, goal]
  })
}
