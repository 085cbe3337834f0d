/** Returns a form configuration without fields, as a base for tests. */
import type { FormEntry } from '../../runtime/page/site.ts'

export function blankForm(name: string): FormEntry {
  return {
    file: `app/forms/${name}.liquid`,
    name,
    resource: 'record',
    resourceName: 'record',
    table: null,
    owner: 'creator',
    fields: { attributes: [], properties: [], nested: [] },
    render: null,
    redirectTo: null,
    flashNotice: null,
    flashAlert: null,
    defaultPayload: null,
    callbackActions: null,
    asyncCallback: null,
    notifications: { emails: [], sms: [], apiCalls: [] },
    policies: [],
    spamProtection: null,
    requestAllowed: true,
    responseHeaders: null,
    metadata: { kind: 'map', entries: {} },
  }
}
