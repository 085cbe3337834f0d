/**
 * Capacity that clients share: bytes on a disk or in memory, or slots in a queue. One client gets at most half of the
 * capacity. When the capacity is exhausted, reservations of the client with the largest total are revoked.
 */
import { network } from './network.ts'

/** The capacity that is reserved for one request. */
export interface Reservation {
  /**
   * Reserves more. This may revoke reservations of clients with a larger total.
   * @returns false when there is not enough capacity for this client. Then the reservation is unchanged
   */
  grow(amount: number): boolean
  /** Makes the reservation permanent until `release`. It can no longer be revoked. */
  makePermanent(): void
  /** Releases the reservation. Further calls have no effect. */
  release(): void
}

interface Client {
  total: number
  /** Number of reservations that were not released. */
  openReservations: number
  /** Reservations that may be revoked, the oldest first. */
  readonly revocable: Set<ActiveReservation>
}

interface ActiveReservation {
  readonly client: Client
  amount: number
  hasEnded: boolean
  readonly onRevoke: () => void
}

/** The shared capacity of a process. */
export class SharedCapacity {
  readonly #size: number
  readonly #clients = new Map<string, Client>()
  #available: number

  /** @param size total capacity, in the same unit as the amounts of `grow` */
  constructor(size: number) {
    this.#size = size
    this.#available = size
  }

  /**
   * Opens an empty reservation.
   * @param address IP address of the client
   * @param onRevoke called at most once, during the `grow` of another reservation, when this reservation has been
   * revoked. Without it, the reservation cannot be revoked.
   */
  reserve(address: string, onRevoke?: () => void): Reservation {
    const key = network(address)
    const client = this.#clients.get(key) ?? { total: 0, openReservations: 0, revocable: new Set() }
    this.#clients.set(key, client)
    client.openReservations++
    const state: ActiveReservation = { client, amount: 0, hasEnded: false, onRevoke: onRevoke ?? (() => undefined) }
    let isRevocable = onRevoke !== undefined
    let isReleased = false
    return {
      grow: (amount) => {
        if (state.hasEnded || client.total + amount > this.#size / 2) return false
        if (!this.#makeRoom(amount, client)) return false
        this.#add(state, amount)
        if (isRevocable) client.revocable.add(state)
        return true
      },
      makePermanent: () => {
        isRevocable = false
        client.revocable.delete(state)
      },
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#end(state)
        if (--client.openReservations === 0) this.#clients.delete(key)
      },
    }
  }

  #add(state: ActiveReservation, amount: number): void {
    state.amount += amount
    state.client.total += amount
    this.#available -= amount
  }

  #end(state: ActiveReservation): void {
    state.hasEnded = true
    state.client.revocable.delete(state)
    this.#add(state, -state.amount)
  }

  /**
   * Revokes the youngest reservations of the client with the largest total, until there is enough capacity. A client
   * only loses reservations while its total is larger than the requester's total would be.
   */
  #makeRoom(amount: number, requester: Client): boolean {
    while (amount > this.#available) {
      let largest: Client | null = null
      for (const client of this.#clients.values())
        if (client.revocable.size > 0 && client.total > (largest?.total ?? requester.total + amount)) largest = client
      const youngest = [...(largest?.revocable ?? [])].at(-1)
      if (youngest === undefined) return false
      this.#end(youngest)
      youngest.onRevoke()
    }
    return true
  }
}

/**
 * Returns a function that reserves one unit of a capacity for the client with an IP address. The result of that function releases the unit,
 * or is null when no unit is available.
 */
export function createSlots(capacity: SharedCapacity): (ip: string) => (() => void) | null {
  return (ip) => {
    const state = capacity.reserve(ip)
    if (state.grow(1)) return () => state.release()
    state.release()
    return null
  }
}
