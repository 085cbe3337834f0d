/** Validating complete forms: built-in rules, nested resources, stored values, and the order of messages. */
import { describe, expect, it } from 'vitest'
import { validate } from '../../../../runtime/data/forms/index.ts'
import type { FieldDef } from '../../../../runtime/page/site.ts'
import { field, form, group, plain, rule } from '../openapi/forms.ts'
import { recordingHost, errorsOf, liquidSetting, nestedGroup, formState, values } from './support.ts'

const BLANK = "can't be blank"
const SHORT = 'is too short (minimum is 6 characters)'

describe('users', () => {
  const entry = form(
    'sign_up',
    'user',
    group([field('email'), field('password'), { ...field('password_confirmation'), virtual: true }]),
  )
  const good = { email: 'ann@example.com', password: 'secret' }

  it.each([
    ['good', good, {}],
    ['nothing', {}, { email: [BLANK] }],
    ['blank', { email: ' ', password: '' }, { email: [BLANK], password: [SHORT] }],
    ['wrong', { email: 'ann', password: '12345' }, { email: ['is invalid'], password: [SHORT] }],
    ['taken', { ...good, email: 'bob@example.com' }, { email: ['has already been taken'] }],
    ['five characters of two units', { ...good, password: '😀😀😀😀😀' }, { password: [SHORT] }],
    ['NUL', { ...good, email: 'a\0@example.com' }, { email: ['is invalid'] }],
    ['a line end', { ...good, email: 'ann@example.com\n' }, { email: ['is invalid'] }],
    ['a header', { ...good, email: 'ann@example.com\r\nBcc: all@example.com' }, { email: ['is invalid'] }],
    ['other types', { email: 5, password: 123456 }, { email: ['is invalid'] }],
  ])('created with %s', async (_name, attributes, expected) => {
    expect(await errorsOf(entry, formState({ attributes }), recordingHost({ taken: ['bob@example.com'] }))).toEqual(
      expected,
    )
  })

  it.each([
    ['nothing', {}, {}],
    ['a blank password, which leaves it', { password: '' }, {}],
    ['a short one', { password: '1' }, { password: [SHORT] }],
    ['no address', { email: '' }, { email: [BLANK] }],
  ])('updated with %s', async (_name, attributes, expected) => {
    const known = { attributes: { email: 'ann@example.com' } }
    expect(await errorsOf(entry, formState({ attributes }, known), recordingHost({ on: 'update' }))).toEqual(expected)
  })

  it('need an address also where the form takes none', async () => {
    const bare = form('bare', 'user', group([field('first_name')]))
    expect(await errorsOf(bare, formState({ attributes: { first_name: 'x' } }))).toEqual({ email: [BLANK] })
    expect(
      await errorsOf(bare, formState({ attributes: { first_name: 'x' } }), recordingHost({ on: 'update' })),
    ).toEqual({})
  })

  it('ask for the address whatever its case', async () => {
    const how = recordingHost()
    await errorsOf(
      form('f', 'user', group([field('email', 'string', rule('unique', { case_sensitive: true }))])),
      formState({ attributes: { email: 'Ann@example.com' } }),
      how,
    )
    expect(how.asked[0]).toEqual(['email', 'Ann@example.com', { caseSensitive: false, scope: {} }])
  })

  it('take the configured rule in place of a built-in one', async () => {
    const own = group([
      field('email', 'string', rule('presence', {}, { message: plain('please') })),
      field('password', 'string', rule('length', { minimum: 10 })),
    ])
    expect(await errorsOf(form('f', 'user', own), formState({ attributes: { password: '1234567' } }))).toEqual({
      email: ['please'],
      password: ['is too short (minimum is 10 characters)'],
    })
  })

  it.each([
    ['another side of the length', rule('length', { maximum: 200 }), [SHORT]],
    ['a shorter minimum', rule('length', { minimum: 2 }), [SHORT]],
    ['a computed minimum', rule('length', {}, { options: { minimum: liquidSetting(() => '2') } }), [SHORT]],
    [
      'a rule that does not always count',
      rule('length', { minimum: 8 }, { if: liquidSetting(() => 'false') }),
      [SHORT],
    ],
    ['one for updates', rule('length', { minimum: 8 }, { on: 'update' }), [SHORT]],
    ['the same with words of its own', rule('length', { minimum: 6 }, { message: plain('longer!') }), ['longer!']],
  ])('keep the shortest password beside %s', async (_name, configured, expected) => {
    const entry = form('f', 'user', group([field('email'), field('password', 'string', configured)]))
    const attributes = { email: 'ann@example.com', password: '12345' }
    expect(await errorsOf(entry, formState({ attributes }))).toEqual({ password: expected })
  })

  it('have no rules of users in other resources', async () => {
    expect(
      await errorsOf(form('log_in', 'session', group()), formState({ attributes: { email: 'x', password: '' } })),
    ).toEqual({})
    const record = form('r', 'record', group([], [field('email')]))
    expect(await errorsOf(record, formState({ properties: { email: 'x' } }))).toEqual({})
  })
})

describe('records that hang on something', () => {
  const entry = form('note', 'record', group([field('customizable_id', 'integer'), field('customizable_type')]))

  it.each([
    [{ customizable_id: 3, customizable_type: 'User' }, {}],
    [{ customizable_id: '3', customizable_type: 'UserProfile' }, {}],
    [{}, {}],
    [{ customizable_type: 'Instance' }, { customizable_id: [BLANK] }],
    [{ customizable_id: 3 }, { customizable_type: [BLANK] }],
    [{ customizable_id: 3, customizable_type: 'Order' }, { customizable_type: ['is not included in the list'] }],
    [{ customizable_id: 3, customizable_type: 'toString' }, { customizable_type: ['is not included in the list'] }],
    [{ customizable_id: 'x', customizable_type: 'User' }, { customizable_id: ['is not a number'] }],
    [{ customizable_id: '3.5', customizable_type: 'User' }, { customizable_id: ['must be an integer'] }],
  ])('%j', async (attributes, expected) => {
    expect(await errorsOf(entry, formState({ attributes }))).toEqual(expected)
  })

  it('may keep the half that is stored', async () => {
    const known = { attributes: { customizable_id: 3, customizable_type: 'User' } }
    expect(
      await errorsOf(entry, formState({ attributes: { customizable_id: 4 } }, known), recordingHost({ on: 'update' })),
    ).toEqual({})
  })
})

describe('nested resources', () => {
  const title = field('title', 'string', rule('presence'))
  const engine = nestedGroup('customizations', 'engine', group([], [field('power', 'integer', rule('numericality'))]))
  const photo = nestedGroup(
    'custom_images',
    'photo',
    group([field('image', 'upload', rule('presence'))]),
    rule('presence', {}, { message: plain('a photo, please') }),
  )
  const entry = form(
    'car',
    'record',
    group([], [], [nestedGroup('customizations', 'car', group([], [title], [engine])), photo]),
  )
  const image = (attributes: Record<string, unknown>) => ({ custom_images: { photo: values({ attributes }) } })

  it('are checked where they are sent', async () => {
    const car = values({ nested: { customizations: { engine: values({ properties: { power: 'x' } }) } } })
    expect(
      await errorsOf(entry, formState({ nested: { customizations: { car }, ...image({ image: 'data:,x' }) } })),
    ).toEqual({
      'customizations.car.properties.title': [BLANK],
      'customizations.car.customizations.engine.properties.power': ['is not a number'],
    })
    expect(await errorsOf(entry, formState({ nested: image({ image: 'data:,x' }) }))).toEqual({})
  })

  it('must be sent where the group says so', async () => {
    expect(await errorsOf(entry, formState({}))).toEqual({ 'custom_images.photo': ['a photo, please'] })
    expect(await errorsOf(entry, formState({ nested: image({ image: '' }) }))).toEqual({
      'custom_images.photo': ['a photo, please'],
      'custom_images.photo.image': [BLANK],
    })
    expect(
      await errorsOf(
        entry,
        formState({}, { nested: image({ image: { path: 'x' } }) }),
        recordingHost({ on: 'update' }),
      ),
    ).toEqual({})
  })

  it('take a file by whichever name it comes', async () => {
    expect(
      await errorsOf(entry, formState({ nested: image({ remote_image_url: 'https://example.com/a.png' }) })),
    ).toEqual({})
  })
})

describe('validate', () => {
  const many: FieldDef[] = ['c', 'a', 'b'].map((name) =>
    field(name, 'string', rule('presence'), rule('length', { minimum: 2 })),
  )

  it('collects all messages, in the order of the fields', async () => {
    const errors = await validate(
      form('f', 'record', group(many.slice(0, 1), many.slice(1))),
      formState({}),
      recordingHost(),
    )
    expect([...errors]).toEqual([
      ['c', [BLANK, 'is too short (minimum is 2 characters)']],
      ['properties.a', [BLANK, 'is too short (minimum is 2 characters)']],
      ['properties.b', [BLANK, 'is too short (minimum is 2 characters)']],
    ])
  })

  it('sees what is stored where nothing is sent', async () => {
    const entry = form('f', 'record', group([], many))
    const known = { properties: { a: 'aa', b: 'bb', c: 'cc' } }
    expect(await errorsOf(entry, formState({ properties: { a: '' } }, known), recordingHost({ on: 'update' }))).toEqual(
      {
        'properties.a': [BLANK, 'is too short (minimum is 2 characters)'],
      },
    )
  })

  it('checks acceptance of an update only where it is sent', async () => {
    const entry = form('f', 'record', group([{ ...field('terms', 'boolean', rule('acceptance')), virtual: true }]))
    expect(await errorsOf(entry, formState({}), recordingHost({ on: 'update' }))).toEqual({})
    expect(await errorsOf(entry, formState({ attributes: { terms: '0' } }), recordingHost({ on: 'update' }))).toEqual({
      terms: ['must be accepted'],
    })
  })
})
