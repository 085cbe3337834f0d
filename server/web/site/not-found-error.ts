/** The error that a template raises when a resource does not exist. */
import { LiquidFault } from '../../../runtime/page/fault.ts'

/** The request is answered with the status 404, unless a `try` tag catches the error. */
export class NotFoundError extends LiquidFault {
  override readonly name = 'LiquidNotFoundError'
}
