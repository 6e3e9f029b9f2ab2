/**
 * What is wrong with a request, in Portuguese, by the English message. A message about a field continues the field's label:
 * “Nome: …” is not written, but “Nome tem de …”. A place in braces is carried over.
 */
import type { FaultTable } from '../faults.ts'

export const faults: FaultTable = {
  // Forms
  'Please correct this and send it again:': 'Corrija o seguinte e envie de novo:',
  'It is not there, or not any more.': 'Não existe, ou já não existe.',
  // Values
  'is required': 'está por preencher',
  'must be an e-mail address': 'tem de ser um endereço de e-mail',
  'must have 1 to {n} characters': 'tem de ter entre 1 e {n} caracteres',
  'must have at most {n} characters': 'pode ter no máximo {n} caracteres',
  'must not be before {field}': 'não pode ser antes de {field}',
  // Titles of problems
  'Not found': 'Não encontrado',
  'Validation failed': 'Dados por corrigir',
}

/** The names of fields that have no label on a page. */
export const fields: FaultTable = {
  'Sale from': 'À venda desde',
}
