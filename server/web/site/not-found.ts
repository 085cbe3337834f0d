/** The error of a page whose subject does not exist. */
import { LiquidFault } from '../../../runtime/page/fault.ts'

/** If it ends the request, the answer is a 404. Otherwise it behaves like any other fault: `try` can catch it. */
export class NotFound extends LiquidFault {
  override readonly name = 'LiquidNotFoundError'
}
