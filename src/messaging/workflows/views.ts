/** Converts workflows between the API and the database. */
import type { WorkflowRequest, WorkflowView } from './schemas.ts'
import type { WorkflowInput, WorkflowRow } from './service.ts'

export function toInput(body: WorkflowRequest): WorkflowInput {
  return {
    name: body.Name.trim(),
    trigger: body.Trigger,
    offsetMinutes: body.OffsetMinutes,
    productId: body.ProductID ?? null,
    subject: body.Subject.trim(),
    body: body.Body,
    active: body.Active,
  }
}

export function workflowView(workflow: WorkflowRow): WorkflowView {
  return {
    WorkflowID: workflow.id,
    Name: workflow.name,
    Trigger: workflow.trigger,
    OffsetMinutes: workflow.offsetMinutes,
    ProductID: workflow.productId,
    Subject: workflow.subject,
    Body: workflow.body,
    Active: workflow.active,
    CreatedAt: workflow.createdAt.toISOString(),
    UpdatedAt: workflow.updatedAt.toISOString(),
  }
}
