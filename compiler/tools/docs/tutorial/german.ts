/** The seventh chapter: a second language. */
import { change, type Chapter, follow, look, mail, open, press, says, step, visit, write } from './step.ts'

const GERMAN = `de:
  date:
    days: [Sonntag, Montag, Dienstag, Mittwoch, Donnerstag, Freitag, Samstag]
    months: [Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember]
  time:
    formats:
      calendar_day: '%A, %-d. %B, %H:%M'
      events_minute: '%-d. %B %Y, %H:%M'
  errors:
    messages:
      blank: darf nicht leer sein
      taken: ist schon vergeben
  site:
    name: Paddelclub Reiher
    home: Kalender
    navigation: Hauptmenü
    skip: Zum Inhalt
  home:
    title: Raus aufs Wasser
    lead: Wir paddeln das ganze Jahr, auf Flüssen und Seen. Such dir etwas aus und komm mit.
  calendar:
    none: Noch keine Termine.
    full: Alle Plätze sind vergeben
    free:
      one: Einer von %{places} Plätzen ist frei
      other: '%{count} von %{places} Plätzen sind frei'
  events:
    title: Termine
    new: Neuer Termin
    edit: Termin ändern
    save: Speichern
    saved: Gespeichert.
    remove: Entfernen
    removed: Entfernt.
    search: Suchen
    sort: Sortieren nach
    newest: Neueste zuerst
    show: Zeigen
    none: Nichts gefunden.
    unknown: Diesen Termin gibt es nicht.
    pages: Seiten
    before: Zurück
    after: Weiter
    count:
      one: Ein Eintrag
      other: '%{count} Einträge'
    fields:
      title: Titel
      starts_at: Beginn
      venue: Ort
      places: Plätze
      about: Beschreibung
      photo: Foto
  venues:
    title: Orte
    new: Neuer Ort
    edit: Ort ändern
    save: Speichern
    saved: Gespeichert.
    remove: Entfernen
    removed: Entfernt.
    search: Suchen
    sort: Sortieren nach
    newest: Neueste zuerst
    show: Zeigen
    none: Nichts gefunden.
    unknown: Diesen Ort gibt es nicht.
    pages: Seiten
    before: Zurück
    after: Weiter
    count:
      one: Ein Eintrag
      other: '%{count} Einträge'
    fields:
      name: Name
      address: Adresse
  registrations:
    title: Deine Anmeldung
    mails:
      look: Zum Termin
      moved: 'Du bist nachgerückt und hast einen Platz: %{title}'
      place: 'Du hast einen Platz: %{title}'
      reminder: 'Diese Woche: %{title}'
      waiting: 'Du stehst auf der Warteliste: %{title}'
    log_in: Zum Anmelden einloggen
    register: Anmelden
    cancel: Wieder abmelden
    place: Du hast einen Platz.
    waiting: Du bist Nummer %{position} auf der Warteliste.
  desk:
    title: Büro
    participants: Teilnehmer
    place: Hat einen Platz
    remove: Entfernen
    state: Stand
    waiting: Wartet
  accounts:
    account: Dein Konto
    address: Adresse
    asked: Wenn es ein Konto mit dieser Adresse gibt, ist eine Mail mit einem Link unterwegs.
    changed: Dein Passwort ist geändert. Logge dich damit ein.
    confirm: Adresse bestätigen
    confirmed: Deine Adresse ist bestätigt.
    different: ist nicht gleich dem Passwort darunter
    email: E-Mail-Adresse
    forgot: Passwort vergessen?
    have_none: Noch kein Konto?
    have_one: Schon ein Konto?
    log_in: Einloggen
    log_out: Ausloggen
    logged_in_as: Eingeloggt als
    logged_out: Du bist ausgeloggt.
    mails:
      ignore: Wenn du kein neues Passwort wolltest, ignoriere diese Mail.
      welcome: Willkommen
    more: Weitere
    new_password: Neues Passwort
    not_confirmed: Deine Adresse ist noch nicht bestätigt.
    not_logged_in: Adresse oder Passwort ist falsch.
    password: Passwort
    password_confirmation: Passwort noch einmal
    roles: Rollen
    save: Passwort speichern
    send: Link schicken
    send_again: Mail mit dem Link schicken
    sent: Eine Mail mit einem Link ist unterwegs.
    sign_up: Konto anlegen
    state:
      confirmed: Bestätigt
      not_confirmed: Nicht bestätigt
    too_many: Du hast zu viele Mails angefordert. Versuche es in einer Stunde wieder.
    too_often: war zu oft. Versuche es in einer Stunde wieder.
    users: Benutzer
    welcome: Dein Konto ist angelegt.
    wrong_email: ist keine E-Mail-Adresse
    wrong_length: muss zwischen 6 und 200 Zeichen haben
    wrong_link: Dieser Link gilt nicht mehr.
`

export const german: Chapter = {
  file: 'german',
  name: '7. A second language',
  summary: 'Offer the calendar in German, with its dates and its mails.',
  words: 'tutorial translation german language i18n locale multilingual',
  steps: [
    step(
      'German texts',
      'translate language yml',
      says(
        'All texts have keys already, also the generated ones, so German is one more file. `ingot check` lists the keys that a language lacks; on the page they are shown in English. From now on, `ingot generate` also writes a German file for you to translate.',
      ),
      write('app/translations/de.yml', GERMAN),
      says(
        'A browser says which languages its user prefers. Links to both let everyone choose: the parameter `language` is kept in the session.',
      ),
      change(
        'app/views/layouts/application.liquid',
        `      </nav>
`,
        `      </nav>
      <span class="languages"><a href="?language=en" lang="en">English</a> <a href="?language=de" lang="de">Deutsch</a></span>
`,
      ),
      visit('Ben', [open('/'), follow('Deutsch')], 'Raus aufs Wasser', 'von 8 Plätzen sind frei'),
    ),
    step(
      'Mails in the language of the member',
      'mail language locale',
      says(
        'A job has the language of the request that queued it. When Ada cancels in English and Ben moves up, Ben still wants German. So store his language with the registration, and use it in the job.',
      ),
      change(
        'app/schema/registration.yml',
        `  - name: state
`,
        `  - name: state
  - name: language
`,
      ),
      change('app/graphql/registrations/add.graphql', `$number: Int!) {`, `$number: Int!, $language: String!) {`),
      change(
        'app/graphql/registrations/add.graphql',
        `        { name: "state", value: "waiting" }
`,
        `        { name: "state", value: "waiting" }
        { name: "language", value: $language }
`,
      ),
      change(
        'app/lib/registrations/join.liquid',
        `number: drawn.event.numbers
`,
        `number: drawn.event.numbers, language: context.language
`,
      ),
      change(
        'app/graphql/registrations/find.graphql',
        `      state: property(name: "state")
`,
        `      state: property(name: "state")
      language: property(name: "language")
`,
      ),
      change(
        'app/lib/registrations/tell.liquid',
        `  if registration
`,
        `  if registration
    assign language = registration.language | default: 'en'
    context language: language
`,
      ),
      visit('Ben', [open('/'), follow('Regatta'), press('Wieder abmelden')], 'Einer von 2 Plätzen ist frei'),
      visit('Ben', [open('/'), follow('Regatta'), press('Anmelden')], 'Du hast einen Platz.'),
      mail('ben@club.example', 'Du hast einen Platz: Regatta'),
      look('Ada', '/', ['All places are taken']),
    ),
  ],
}
