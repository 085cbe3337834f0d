/** Tests error messages of deploys in the platform's words, which users and programs search for. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let ground: InstanceSetup
let instance: Instance

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('words')
})

afterAll(() => ground.clean())

const FORM_SETTINGS =
  'api_call_notifications, async_callback_actions, authorization_policies, body, callback_actions, default_payload, email_notifications, fields, flash_alert, flash_notice, live_reindex, metadata, name, redirect_to, request_allowed, resource, resource_owner, response_headers, return_to, sms_notifications, spam_protection'
const TYPES =
  'string, integer, float, decimal, datetime, time, date, binary, boolean, array, address, file, photo, text, geojson, upload'

test('YAML that cannot be read, a setting of a form and a type that nobody knows are told as the platform tells them', async () => {
  const { error } = await instance.deploy(
    siteZip({
      'app/views/pages/first.liquid': '---\nslug: first\nno key\n---\nx',
      'app/views/pages/second.liquid': '---\nslug: [a, b\n---\nx',
      'app/form_configurations/order.liquid': '---\nresource: User\ncolour: red\n---\n',
      'app/schema/order.yml': 'name: order\nproperties:\n  - name: size\n    type: number\n',
    }),
  )
  const lines = error?.error.split('\n') ?? []
  expect(lines).toHaveLength(4)
  expect(lines[0]).toBe(
    `app/form_configurations/order.liquid: Unknown properties: colour. Available properties are: ${FORM_SETTINGS}. (line 3)`,
  )
  expect(lines[1]).toBe(
    `app/schema/order.yml: Attribute type \`number\` is not allowed. Valid attribute types: ${TYPES} at line 4`,
  )
  expect(lines[2]).toBe("app/views/pages/first.liquid: contains invalid YAML: could not find expected ':' at line 3")
  expect(lines[3]).toMatch(/^app\/views\/pages\/second\.liquid: contains invalid YAML: .+ at line \d$/)
})

test('what is wrong with a single file is told once, as what did not pass', async () => {
  const { status, body } = await instance.sync(
    'schema/order.yml',
    'name: order\nproperties:\n  - name: size\n    type: number\n',
  )
  expect(status).toBe(422)
  expect(body.errors).toEqual([
    `Validation failed: app/schema/order.yml: Attribute type \`number\` is not allowed. Valid attribute types: ${TYPES} at line 4`,
  ])
})
