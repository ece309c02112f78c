/** The exports of the skills. */

export { type BodyReferrer, holdersIn, holdersNamed } from './prompt/bodyReferrers'
export { allowedSkills } from './prompt/role'
export { type PromptText, readStoredPrompt } from './prompt/storedPrompt'
export { guidesOf, type LanguagePrompts, loadPrompts, PromptFileError, type PromptLibrary } from './prompts'
export { routeStep, SKILL_REGISTRY, type StepRoute } from './registry'
export { type RunSkillOptions, runSkill } from './run'
