/** Texts of the dashboard in Portuguese: the schedules that make a product’s timeslots. */
import type { schedules as english } from '../en/schedules.ts'

export const schedules: Readonly<Record<keyof typeof english, string>> = {
  'schedule.list': 'Planos de horários',
  'schedule.empty': 'Nenhum plano cria horários deste produto.',
  'schedule.season': 'Época',
  'schedule.timeslots': 'Horários',
  'schedule.day': 'Dia',
  'schedule.new': 'Novo plano de horários',
  'schedule.new-of': 'Novo plano de horários de {product}',
  'schedule.of': 'Plano de horários de {product}',
  'schedule.pattern':
    '{days} às {times}, {places, plural, one {# lugar} other {# lugares}}{closed, plural, =0 {} other {; dias encerrados: #}}',
  'schedule.pattern.open':
    '{days}, aberto {hours}, {places, plural, one {# lugar} other {# lugares}}{closed, plural, =0 {} other {; dias encerrados: #}}',
  'schedule.every-day': 'todos os dias',
  'schedule.form': 'O plano de horários',
  'schedule.from': 'Primeiro dia',
  'schedule.to': 'Último dia',
  'schedule.weekdays': 'Dias da semana',
  'schedule.times': 'Horas',
  'schedule.times.hint': 'Na hora de {zone}, por exemplo 10:00, 14:30.',
  'schedule.capacity': 'Lugares de cada horário',
  'schedule.closed-dates': 'Dias encerrados',
  'schedule.closed-date': 'Dia encerrado {number, number}',
  'schedule.closed-dates.hint':
    'Dias da época sem horários. Esvazie um campo para reabrir esse dia; a pré-visualização acrescenta mais campos.',
  'schedule.all-day': 'Todo o dia',
  'schedule.daily': 'Em cada dia',
  'schedule.daily.start': 'Horários a horas fixas',
  'schedule.daily.all-day': 'Todo o dia, enquanto está aberto',
  'schedule.hours.hint':
    'Na hora de {zone}, uma linha para cada período: uma manhã, uma tarde. A pré-visualização acrescenta mais linhas.',
  'schedule.prices.hint':
    'Preços só para este plano, por exemplo de uma época ou dos fins de semana. Deixe um preço vazio para usar o do produto.',
  'schedule.preview-again': 'Pré-visualizar de novo',
  'schedule.save': 'Guardar este plano',
  'schedule.saved': 'O plano de horários está guardado',
  'schedule.end': 'Terminar este plano',
  'schedule.end.open': 'Terminar este plano…',
  'schedule.end.title': 'Terminar um plano de horários',
  'schedule.ended': 'O plano de horários está terminado',

  'schedule.preview.title': 'Pré-visualização: ainda nada está guardado',
  'schedule.preview.form': 'Alterar o plano de horários',
  'schedule.preview.days': 'Os primeiros {count, number} dias',
  'schedule.preview.empty': 'Não há horários nestes dias.',
  'schedule.preview.caption': 'Horários depois desta alteração',
  'schedule.slot.places': '{count, plural, one {# lugar} other {# lugares}}',
  'schedule.slot.closed': 'encerrado',
  'schedule.slot.other-hours': 'outras horas',
  'schedule.slot.opens': 'vai abrir',
  'schedule.slot.new': 'novo',
  'schedule.slot.places-now': 'em vez de {count, number}',
  'schedule.slot.goes': 'vai ser removido',
  'schedule.slot.closes': 'vai encerrar',
  'schedule.slot.left': 'fica: {reason}',
  'schedule.effects': 'Horários que ainda não começaram:',
  'schedule.would.nothing': 'Nenhum horário mudaria.',
  'schedule.would.made': '<strong>{count, number}</strong> a criar',
  'schedule.would.changed': '<strong>{count, number}</strong> a alterar para seguir o plano',
  'schedule.would.removed': '<strong>{count, number}</strong> a remover',
  'schedule.would.closed':
    '<strong>{count, number}</strong> a encerrar e não a remover, {count, plural, one {porque tem reservas canceladas ou expiradas} other {porque têm reservas canceladas ou expiradas}}',
  'schedule.would.left':
    '<strong>{count, number}</strong> {count, plural, one {a deixar como está: alterado à mão; com reservas, lugares guardados ou lista de espera; ou criado de outra forma} other {a deixar como estão: alterados à mão; com reservas, lugares guardados ou lista de espera; ou criados de outra forma}}',
  'schedule.did.nothing': 'Nenhum horário mudou.',
  'schedule.did.made': '<strong>{count, number}</strong> {count, plural, one {criado} other {criados}}',
  'schedule.did.changed':
    '<strong>{count, number}</strong> {count, plural, one {alterado} other {alterados}} para seguir o plano',
  'schedule.did.removed':
    '<strong>{count, number}</strong> {count, plural, one {removido} other {removidos}}',
  'schedule.did.closed':
    '<strong>{count, number}</strong> {count, plural, one {encerrado e não removido, porque tem reservas canceladas ou expiradas} other {encerrados e não removidos, porque têm reservas canceladas ou expiradas}}',
  'schedule.did.left':
    '<strong>{count, number}</strong> {count, plural, one {deixado como está: alterado à mão; com reservas, lugares guardados ou lista de espera; ou criado de outra forma} other {deixados como estão: alterados à mão; com reservas, lugares guardados ou lista de espera; ou criados de outra forma}}',
  'schedule.left.title': 'Ficam como estão',
  'schedule.left.caption': 'Horários que ficam como estão',
  'schedule.left.more': 'E mais {count, number}, depois destes.',
  'schedule.reason.edited': 'alterado à mão',
  'schedule.reason.booked': 'há lugares reservados',
  'schedule.reason.held': 'há lugares guardados',
  'schedule.reason.waiting': 'há um grupo à espera',
  'schedule.reason.exists': 'criado à mão ou por outro plano',
}
