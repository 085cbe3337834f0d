/**
 * Capacity that clients share: bytes on a disk or in memory, or places in a queue. One client gets at most half of it.
 * When it is full, the client that holds most gives way.
 */
import { network } from './network.ts'

/** The capacity that one request holds. */
export interface Hold {
  /**
   * Takes more. This may end holds of a client that holds more.
   * @returns false when there is not enough for this client; the hold is then unchanged
   */
  take(amount: number): boolean
  /** Keeps what was taken until `leave`. From now on the hold does not give way. */
  settle(): void
  /** Gives everything back. Calling it again has no effect. */
  leave(): void
}

interface Client {
  held: number
  /** Number of holds that have not left. */
  open: number
  /** Holds that may give way, the oldest first. */
  readonly yielding: Set<OpenHold>
}

interface OpenHold {
  readonly client: Client
  amount: number
  hasEnded: boolean
  readonly giveWay: () => void
}

/** The shared capacity of a process. */
export class SharedCapacity {
  readonly #size: number
  readonly #clients = new Map<string, Client>()
  #left: number

  /** @param size in any unit; `take` uses the same */
  constructor(size: number) {
    this.#size = size
    this.#left = size
  }

  /**
   * Starts an empty hold.
   * @param from IP address of the client
   * @param giveWay called at most once, within the `take` of another hold, when this hold has lost its capacity. Without
   * it, the hold never gives way.
   */
  open(from: string, giveWay?: () => void): Hold {
    const key = network(from)
    const client = this.#clients.get(key) ?? { held: 0, open: 0, yielding: new Set() }
    this.#clients.set(key, client)
    client.open++
    const hold: OpenHold = { client, amount: 0, hasEnded: false, giveWay: giveWay ?? (() => undefined) }
    let yields = giveWay !== undefined
    let hasLeft = false
    return {
      take: (amount) => {
        if (hold.hasEnded || client.held + amount > this.#size / 2) return false
        if (!this.#makeRoom(amount, client)) return false
        this.#add(hold, amount)
        if (yields) client.yielding.add(hold)
        return true
      },
      settle: () => {
        yields = false
        client.yielding.delete(hold)
      },
      leave: () => {
        if (hasLeft) return
        hasLeft = true
        this.#end(hold)
        if (--client.open === 0) this.#clients.delete(key)
      },
    }
  }

  #add(hold: OpenHold, amount: number): void {
    hold.amount += amount
    hold.client.held += amount
    this.#left -= amount
  }

  #end(hold: OpenHold): void {
    hold.hasEnded = true
    hold.client.yielding.delete(hold)
    this.#add(hold, -hold.amount)
  }

  /** Ends the youngest holds of the client that holds most, while it holds more than the requesting client would. */
  #makeRoom(amount: number, asking: Client): boolean {
    while (amount > this.#left) {
      let most: Client | null = null
      for (const client of this.#clients.values())
        if (client.yielding.size > 0 && client.held > (most?.held ?? asking.held + amount)) most = client
      const youngest = [...(most?.yielding ?? [])].at(-1)
      if (youngest === undefined) return false
      this.#end(youngest)
      youngest.giveWay()
    }
    return true
  }
}

/**
 * @returns a function that takes one unit for a client, by IP address. It returns a function that gives the unit back, or
 * null when there is none.
 */
export function createSlots(room: SharedCapacity): (ip: string) => (() => void) | null {
  return (ip) => {
    const hold = room.open(ip)
    if (hold.take(1)) return () => hold.leave()
    hold.leave()
    return null
  }
}
