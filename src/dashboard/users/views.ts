/** The users of an account, with the actions for each. Pure. */

import { roles } from '../../accounts/users/model.ts'
import type { UserRow } from '../../accounts/users/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { attributes, postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

export function userList(session: Session, users: readonly UserRow[], t: Texts): Markup {
  const owners = users.filter(({ role, disabledAt }) => role === 'owner' && !disabledAt)
  const items = users.map((user) => {
    const you = user.id === session.user.userId ? badge(t.say('users.you'), 'accent') : ''
    const ended = user.disabledAt ? badge(t.say('users.disabled'), 'warn') : ''
    const since = t.say('users.since', {
      role: t.say(`users.role.${user.role}`),
      since: t.moment(user.createdAt, session.user.timeZone),
    })
    return html`<li class="panel"><p><strong>${user.email}</strong> ${you} ${ended} <span class="hint">${since}</span></p>
${actions(session, t, user, owners.length === 1 && owners[0] === user)}</li>`
  })
  return html`<ul class="plain people">${items}</ul>`
}

function roleForm(session: Session, t: Texts, { id, email, role }: UserRow): Markup {
  const options = roles.map(
    (one) =>
      html`<option${attributes({ value: one, selected: one === role })}>${t.say(`users.role.${one}`)}</option>`,
  )
  return postForm(
    session,
    `/dashboard/users/${id}/role`,
    html`<select name="Role" aria-label="${t.say('users.role.of', { email })}">${options}</select>
<button class="secondary" aria-label="${t.say('users.role.change-of', { email })}">${t.say('users.role.change')}</button>`,
    { class: 'actions' },
  )
}

/** @param isLastOwner whether no other owner can sign in. The role of the last owner cannot change. */
function actions(session: Session, t: Texts, user: UserRow, isLastOwner: boolean): Markup {
  const { id, email, disabledAt } = user
  const form = (name: string, label: string, kind: string, question?: string) =>
    postForm(
      session,
      `/dashboard/users/${id}/${name}`,
      html`<button class="${kind}" aria-label="${t.say('users.action-for', { action: label, email })}">${label}</button>`,
      { class: 'inline', ...(question && { question }) },
    )
  const ends = disabledAt
    ? form('enable', t.say('users.enable'), 'secondary')
    : form('disable', t.say('users.disable'), 'danger', t.say('users.disable.question', { email }))
  // Users cannot disable themselves here; another owner can disable them.
  const isOwn = id === session.user.userId
  return html`${
    isLastOwner
      ? html`<p class="hint">${t.say('users.last-owner')}</p>
`
      : ''
  }<div class="actions">${isLastOwner ? '' : roleForm(session, t, user)}
${form('sign-out', t.say('account.sign-out-everywhere'), 'secondary')}
${form('password', t.say('users.password'), 'secondary', t.say('users.password.question', { email }))}
${isOwn ? '' : ends}</div>`
}

export function inviteForm(session: Session, t: Texts): Markup {
  return postForm(
    session,
    '/dashboard/users',
    html`${inputField({ label: t.say('word.email'), name: 'Email' }, { type: 'email', required: true, maxlength: 254, autocomplete: 'off' })}
${selectField(
  { label: t.say('users.role'), name: 'Role', value: 'staff' },
  roles.map((role) => ({ value: role, label: t.say(`users.role-about.${role}`) })),
)}
<p class="hint">${t.say('users.invite.hint')}</p>
<button>${t.say('users.invite')}</button>`,
  )
}
