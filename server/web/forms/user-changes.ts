/** Changes of users without a form of the site. The same rules check the values as in a form of the resource `User`. */
import type { PropertyType } from '../../../runtime/page/compiled.ts'
import type { FieldDef, FormEntry } from '../../../runtime/page/site.ts'
import type { Visit } from '../site/host.ts'
import type { FormDependencies, Submission } from './model.ts'
import { submit } from './submit.ts'

/** The id of the changed user, or what is wrong with the values: `email has already been taken`. */
export type UserChange = { readonly id: string } | { readonly problems: readonly string[] }

/**
 * Creates, changes or deletes a user.
 * @throws the errors of `submit`
 */
export async function changeUser(
  dependencies: FormDependencies,
  visit: Visit,
  submission: Submission,
): Promise<UserChange> {
  const result = await submit(dependencies, visit, submission)
  if (result.kind === 'done') return { id: result.id ?? submission.id ?? '' }
  if (result.kind === 'invalid')
    return {
      problems: [...result.state.errors].flatMap(([path, messages]) =>
        messages.map((message) => `${path.replace(/^properties\./, '')} ${message}`),
      ),
    }
  // Only these two results remain. The others need a visitor, a policy or a concurrent deletion.
  return { problems: [result.kind === 'malformed' ? result.problem : 'the user does not exist any more'] }
}

/** Returns an attribute or a property of a form. */
export function field(
  name: string,
  type: PropertyType = 'string',
  validations: FieldDef['validations'] = [],
): FieldDef {
  return { name, type, virtual: false, readonly: false, default: null, validations, options: {} }
}

/** Returns a form of users without callbacks, mails and policies: the caller already has access to the database. */
export function userForm(attributes: readonly FieldDef[], properties: readonly FieldDef[]): FormEntry {
  return {
    file: '',
    name: 'user',
    resource: 'user',
    resourceName: 'User',
    table: null,
    owner: 'anyone',
    fields: { attributes, properties, nested: [] },
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
    requestAllowed: false,
    responseHeaders: null,
    metadata: { kind: 'map', entries: {} },
  }
}
