/** Measures contestants within one process. They take turns, so that other work of the machine affects them equally. */

export interface Contestant {
  readonly name: string
  /** Does one unit of work. */
  readonly run: () => void
}

/** Units of work per CPU second in each round, by contestant. */
export type Rates = ReadonlyMap<string, readonly number[]>

/**
 * Measures the contestants in turns.
 * @param rounds how many turns each takes
 * @param seconds CPU time of one turn
 */
export function interleave(contestants: readonly Contestant[], rounds: number, seconds: number): Rates {
  for (const { run } of contestants) rate(run, seconds * 2)
  const rates = new Map<string, number[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      // The order changes in each round, so that no contestant always runs after the same one.
      const { name, run } = contestants[(turn + round) % contestants.length]!
      rates.get(name)!.push(rate(run, seconds))
    }
  }
  return rates
}

/** Runs for about `seconds` of CPU time. Returns the runs per CPU second of the whole process, including garbage collection. */
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
    // Reads the clock rarely, without exceeding the budget.
    batch = Math.max(1, Math.min(batch * 2, Math.floor((count / used) * (budget - used))))
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Returns the median of the ratios of two contestants in each round. */
export function ratio(rates: Rates, of: string, to: string): number {
  const below = rates.get(to)!
  return median(rates.get(of)!.map((value, round) => value / below[round]!))
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** Returns the bytes that one run allocates on the JavaScript heap, measured between two garbage collections. Needs `--expose-gc`. */
export function allocation(run: () => void): number {
  const once = grown(run, 1)
  // Enough runs for a measurable difference, but too few to trigger an automatic collection.
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
 * Like `interleave`, for work that waits, for example for a database. Measures the runs per second of wall time, one after another.
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
 * Measures the rates of several servers in turns. Each of them comes first in some round. All are warmed up before the first round.
 * @param load sends requests to a server for the given seconds and returns the responses per second
 * @returns for each server, its rate in each round
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
 * Returns the rows of a table of peers: the responses per second of the peer and of Ingot, and their ratio.
 * @param rates as returned by `inTurns`, with Ingot first
 * @param peers the name and the goal of each other server
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
