/** What a page speaks of and is not there: its visitor followed an address that leads nowhere. */
import { LiquidFault } from '../../runtime/page/fault.ts'

/** Answered as a page that is missing, 404, where it ends the request; `try` catches it, and it prints, as any other. */
export class NotFound extends LiquidFault {
  override readonly name = 'LiquidNotFoundError'
}
