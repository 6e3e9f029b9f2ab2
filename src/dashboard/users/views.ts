/** The users of an account, with the actions for each. Pure. */

import { type Role, roles } from '../../accounts/users/model.ts'
import type { UserRow } from '../../accounts/users/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { attributes, inputField, postForm, selectField } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

const roleWords: Record<Role, string> = {
  owner: 'Owner: everything',
  staff: 'Staff: everything but reports, users, partners, keys, webhooks, health and secrets',
}

export function userList(session: Session, users: readonly UserRow[], t: Texts): Markup {
  const items = users.map((user) => {
    const you = user.id === session.user.userId ? badge('you', 'accent') : ''
    const ended = user.disabledAt ? badge('disabled', 'warn') : ''
    const since = t.moment(user.createdAt, session.user.timeZone)
    return html`<li class="panel"><p><strong>${user.email}</strong> ${you} ${ended} <span class="hint">${user.role}, since ${since}</span></p>
${actions(session, user)}</li>`
  })
  return html`<ul class="plain people">${items}</ul>`
}

function roleForm(session: Session, { id, email, role }: UserRow): Markup {
  const options = roles.map(
    (one) => html`<option${attributes({ value: one, selected: one === role })}>${one}</option>`,
  )
  return postForm(
    session,
    `/dashboard/users/${id}/role`,
    html`<select name="Role" aria-label="Role of ${email}">${options}</select>
<button class="secondary" aria-label="Change role of ${email}">Change role</button>`,
    { class: 'actions' },
  )
}

function actions(session: Session, user: UserRow): Markup {
  const { id, email, disabledAt } = user
  const form = (name: string, label: string, kind: string, question?: string) =>
    postForm(
      session,
      `/dashboard/users/${id}/${name}`,
      html`<button class="${kind}" aria-label="${label}: ${email}">${label}</button>`,
      { class: 'inline', ...(question && { question }) },
    )
  const ends = disabledAt
    ? form('enable', 'Enable', 'secondary')
    : form('disable', 'Disable', 'danger', `Disable ${email}? They are signed out everywhere at once.`)
  return html`<div class="actions">${roleForm(session, user)}
${form('sign-out', 'Sign out everywhere', 'secondary')}
${form('password', 'New password', 'secondary', `Give ${email} another password? The one they have stops working.`)}
${ends}</div>`
}

export function inviteForm(session: Session): Markup {
  return postForm(
    session,
    '/dashboard/users',
    html`${inputField({ label: 'E-mail address', name: 'Email' }, { type: 'email', required: true, maxlength: 254, autocomplete: 'off' })}
${selectField(
  { label: 'Role', name: 'Role', value: 'staff' },
  roles.map((role) => ({ value: role, label: roleWords[role] })),
)}
<p class="hint">A password is made and shown to you once: hand it on, and have it changed under “Your sign-in”.</p>
<button>Invite</button>`,
  )
}
