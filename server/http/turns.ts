/**
 * Whose turn it is while a process is busy. A page runs to its end, and of all that arrived together one would run after the other:
 * between two of them the process comes to look after everything else, and visitors are taken in turn, whoever asks for most.
 */

export interface Turns {
  /**
   * Asks for a turn. Null: it is now. Else resolves when it has come, to false where that took so long that nobody waits any more.
   * @param visitor address
   */
  ask(visitor: string): Promise<boolean> | null
}

interface WaitingRequest {
  readonly since: number
  readonly go: (soon: boolean) => void
}

/** Milliseconds of one round of the event loop in which requests are begun as they come. */
const SLICE = 25
/** Milliseconds after which no visitor waits any more. */
const LONGEST = 30_000
/** Rounds without anybody new after which all are there: a connection is taken in one, and its request read in the next. */
const QUIET = 2
/** Rounds at the most, between two pages, in which who is outside comes in. */
const ROUNDS = 256

/**
 * @param taken how many connections were taken so far
 * @param longest milliseconds
 */
export function createTurns(taken: () => number, longest = LONGEST): Turns {
  /** By visitor, who is next first. */
  const lines = new Map<string, WaitingRequest[]>()
  /** When the first request of this round began; null where none has. */
  let begun: number | null = null
  let asked = 0
  /** Of who came in since the last page, and for how many rounds nobody has. */
  let seen = 0
  let rounds = 0
  let quiet = 0

  // The system hands connections over one a round: whoever is in line there must come in, or the first to come are served first.
  function isComplete(): boolean {
    const arrived = asked + taken()
    quiet = arrived === seen ? quiet + 1 : 0
    seen = arrived
    return quiet >= QUIET || ++rounds >= ROUNDS
  }

  function round(): void {
    const now = performance.now()
    if ((lines.size > 0 || (begun !== null && now - begun >= SLICE)) && !isComplete()) {
      setImmediate(round)
      return
    }
    begun = null
    rounds = 0
    quiet = 0
    const [first] = lines
    if (first === undefined) return
    // One each time: what it sets off runs when this function has returned.
    begin(now)
    const [visitor, line] = first
    const next = line.shift()
    lines.delete(visitor)
    if (line.length > 0) lines.set(visitor, line)
    next?.go(now - next.since < longest)
  }

  function begin(now: number): void {
    begun = now
    setImmediate(round)
  }

  return {
    ask(visitor) {
      const now = performance.now()
      asked++
      if (begun === null) {
        begin(now)
        return null
      }
      if (lines.size === 0 && now - begun < SLICE) return null
      return new Promise((go) => {
        const line = lines.get(visitor)
        if (line === undefined) lines.set(visitor, [{ since: now, go }])
        else line.push({ since: now, go })
      })
    },
  }
}
