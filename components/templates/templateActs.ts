import { type Act, actsOn } from '@/components/operate/acts'
import type { TemplateShown } from '@/lib/wire'

export type TemplateDraft = Pick<TemplateShown, 'name' | 'text' | 'fields' | 'reviewPlans'>

/** id null: a new one. */
export const saveTemplateAct = (id: string | null, draft: TemplateDraft): Act =>
  actsOn('/api/templates', { template: id, ...draft }, [id ?? 'new'])
export const removeTemplateAct = (id: string): Act => actsOn(`/api/templates/${encodeURIComponent(id)}/remove`)

type ScheduleDraft = { name: string; text: string; cron: string; timeZone: string }
export const changeScheduleAct = (id: string, draft: ScheduleDraft): Act =>
  actsOn(`/api/schedules/${encodeURIComponent(id)}`, draft)
export const scheduleAct = (id: string, act: 'pause' | 'resume' | 'remove'): Act =>
  actsOn(`/api/schedules/${encodeURIComponent(id)}/${act}`)
