/** The error of a page whose subject does not exist. */
import { LiquidFault } from '../../../runtime/page/fault.ts'

/** When it ends the request, the answer is a 404. `try` can catch it, and it prints, like any other fault. */
export class NotFound extends LiquidFault {
  override readonly name = 'LiquidNotFoundError'
}
