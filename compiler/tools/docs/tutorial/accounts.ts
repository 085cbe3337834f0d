/** The second chapter: accounts and the first administrator. */
import {
  type Chapter,
  enter,
  look,
  mailWithLink,
  missing,
  open,
  press,
  run,
  runAndSee,
  says,
  step,
  visit,
} from './step.ts'

const PASSWORD = 'a long password'

export const accounts: Chapter = {
  file: 'accounts',
  name: '2. Members',
  summary: 'Let members sign up, confirm their address and log in, and create the first administrator.',
  words: 'tutorial accounts users members sign up log in administrator first admin',
  steps: [
    step(
      'Accounts',
      'sign up log in password reset confirm generate',
      says(
        'A generator writes everything that accounts need: sign-up, log-in, new passwords by mail, confirmed addresses, roles, and their tests. It prints the files and adds a link to the navigation.',
      ),
      run('npx ingot generate accounts'),
      says('Now you are Ben, who wants to paddle. Sign up.'),
      visit(
        'Ben',
        [
          open('/sign-up'),
          enter('E-mail address', 'ben@club.example'),
          enter('Password', PASSWORD),
          enter('The password again', PASSWORD),
          press('Sign up'),
        ],
        'Your account was created.',
        'You are logged in as ben@club.example',
        'Your address is not confirmed yet.',
      ),
    ),
    step(
      'The first mail',
      'outbox confirm mail',
      says('No mail leaves your machine while you develop. The outbox shows what would have been sent.'),
      mailWithLink('Ben', 'ben@club.example', 'Welcome', 'Confirm your address', 'ben@club.example'),
      says('The link leads to a page with a button, because some mail programs open links on their own.'),
      visit('Ben', [press('Confirm your address')], 'Your address is confirmed.'),
      says('“Forgot your password?” on the page `/log-in` works in the same way. Try it.'),
    ),
    step(
      'The first administrator',
      'admin role user create',
      says(
        'No page creates an administrator. A command does, on the machine of the site. It asks for a password, twice: enter `a long password`, or one of your own.',
      ),
      runAndSee(
        'npx ingot user create ada@club.example --role admin',
        'The user ada@club.example was created with the roles admin.',
      ),
      says('Be Ada in a private window, so that you stay Ben in the other one.'),
      visit(
        'Ada',
        [open('/log-in'), enter('E-mail address', 'ada@club.example'), enter('Password', PASSWORD), press('Log in')],
        'You are logged in as ada@club.example',
      ),
      look('Ada', '/admin/users', ['ben@club.example', 'admin']),
      says(
        'The same address does not exist for Ben. The policy `app/authorization_policies/is_admin.liquid` decides that.',
      ),
      missing('Ben', '/admin/users'),
    ),
  ],
}
