/** `api_call_send`: calls another service and returns its response. */
import type { EffectField } from '../model.ts'
import { effect } from '../sdl/effect.ts'
import { readApiCall, callPayload, readTemplatedContent } from '../notification-arguments.ts'
import { isObject } from '../../values/json-data.ts'

export const api_call_send: EffectField = {
  kind: 'effect',
  isSlow: true,
  name: 'api_call_send',
  sdl: 'api_call_send(api_call: ApiCallSendRequestInput, data: HashObject, options: ApiCallSendOptions, template: NotificationTemplateInput): ApiCallSendPayload @public',
  types: effect,
  async perform(args, effects) {
    // `internal` is accepted and ignored. Only the server's settings can allow internal addresses.
    const options = isObject(args['options']) ? args['options'] : {}
    const { timeout } = options
    return callPayload(
      await effects.callApi(readTemplatedContent(args, 'api_call', readApiCall), {
        timeout: typeof timeout === 'number' && timeout > 0 ? timeout : null,
        skipVerification: options['skip_ssl_verification'] === true,
      }),
    )
  },
}
