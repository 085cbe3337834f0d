/** The guide to translations. */
import { files, guide, list, page, part, text } from './guide.ts'

export const translations = guide('translations', {
  name: 'Translations',
  summary: 'Offer the site in several languages, with its dates, numbers and messages.',
  words: 'translate translation language languages locale i18n l10n multilingual internationalization t',
  blocks: [
    part('Texts in several languages', 'translate i18n locale yml'),
    text(
      'Texts are in `app/translations`, one file or more for each language; the first key is the language. The filter `t` looks a key up in the language of the request, then in English. Missing keys and unused ones are reported by `ingot check`.',
    ),
    page(
      {
        'app/translations/greetings.en.yml': `en:
  greetings:
    hello: 'Hello %{name}'
    guests:
      one: One guest
      other: '%{count} guests'
`,
        'app/translations/greetings.de.yml': `de:
  greetings:
    hello: 'Hallo %{name}'
    guests:
      one: Ein Gast
      other: '%{count} Gäste'
`,
        'app/views/pages/greetings.liquid': `<p>{{ 'greetings.hello' | t: name: 'Ada' }}</p>
<p>{{ 'greetings.guests' | t: count: 3 }}</p>
<a href="/greetings?language=en">English</a> <a href="/greetings?language=de">Deutsch</a>
`,
      },
      '/greetings?language=de',
      `<p>Hallo Ada</p>
<p>3 Gäste</p>…`,
    ),
    text('The texts of the site that `ingot init` wrote are translated in the same way:'),
    files({
      'app/translations/de.yml': `de:
  site:
    name: Die kleine Küche
    home: Start
    navigation: Hauptmenü
    skip: Zum Inhalt
  home:
    title: Was wir heute kochen
    nothing: Wir haben geschlossen.
  dishes:
    price: '%{price} €'
    unknown: Dieses Gericht gibt es nicht.
`,
    }),
    part('Which language', 'switch language browser accept-language session'),
    list(
      '`?language=de` in the address, which the session keeps; else the session; else `Accept-Language`; else the language of the user; else `en`. `context.language` is the result.',
      "`{% context language: 'de' %}` changes it for the rest of the render.",
      'A mail uses the language of the request that queued it, unless `locale` is set in its front matter.',
    ),
    part('Dates and numbers', 'localize format date number'),
    text(
      "`{{ 'now' | l: 'long' }}` prints a time with a format of the translations, `time.formats.long` or `date.formats.long`. Names of months and days are translations, too: `date.months`, `date.days`.",
    ),
    part('Messages of forms', 'validation error message override'),
    text('The messages of validations are looked up under `errors.messages`:'),
    files({
      'app/translations/errors.de.yml': `de:
  errors:
    messages:
      blank: darf nicht leer sein
      taken: ist schon vergeben
`,
    }),
    text(
      'Values are escaped where they are printed. A key that ends in `_html` may contain HTML. A module has its own texts: `modules/<name>/a.b`, which `app/modules/<name>/…/translations` overrides.',
    ),
  ],
})
