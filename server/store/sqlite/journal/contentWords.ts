/** The dictionary that contents are deflated against, also in the table `words`. It is on disk: it never changes. */
export const CONTENT_WORDS =
  '","/note":"","/reason":"","/summary":"","/seed/question":"","/seed/choices":["approve","refuse"],' +
  '"/answer/text":"","/attachments/0/name":"","/call/error":"","/call/reasoning/preview":"",' +
  '"/instruction/arguments/preview":"{\\"","/result/made":{"task":"","/repairs":[""],"/line":{"role":"",' +
  '"stage":"","content":""},"/text":"","/intention":"","<final>{"<send_message>{"<react_action>{"<get_more_info>' +
  '{<skip><add_step>[{"step_intention": "", "type": "skill", "executor": "think", "text_content": ""},' +
  '{"step_intention":"","type":"tool","executor":"","text_content":""}]<tool_calls>[{"tool_name": "", ' +
  '"arguments": {"path": ""}}]"task_id": "", "receiver": [""], "content": "", "stage_relative": "", ' +
  '"need_reply": true, "waiting": false{"content":[{"type":"text","text":"{"kind":"tool","isError":false,' +
  '"structuredContent":{instruction_generation process_message send_message reflection summary planning decision ' +
  'task_manager agent_manager tool_decision quick_think ask_info memory <task_instruction>{"action":"add_task",' +
  '"task_name":"","task_intention":"","members":["<decision_step>[{"<planned_step>' +
  '[{"step_intention":"<tool_instruction>[{"tool_name":"","arguments":{"path":"<answers_to from=\\"\\" ' +
  'kind=\\"person\\" id=\\"\\" waits=\\"no\\"></answers_to></section><section name="available_skills_and_tools">' +
  '\n</section><section name="current_step">\nskill: think\nstage: 1 of 2\nstage_id: stage ' +
  '1[{"name":"system_prompt","role":"system","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},' +
  '{"name":"agent_role","role":"system","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},' +
  '{"name":"current_task","role":"user","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},' +
  '{"name":"current_part","role":"user","body":{"sha":"{"name":"stages","role":"user",' +
  '"body":{"sha":"{"name":"messages","role":"user","body":{"sha":"{"name":"files","role":"user",' +
  '"body":{"sha":"{"name":"attachments","role":"user","body":{"sha":"{"name":"tool_step","role":"user",' +
  '"body":{"sha":"{"name":"mcp_base_prompt","role":"user","body":{"sha":"{"name":"tool_history","role":"user",' +
  '"body":{"sha":"{"name":"persistent_memory","role":"user","body":{"sha":"{"name":"available_skills_and_tools",' +
  '"role":"user","body":{"sha":"","bytes":,"preview":"","mime":"text/plain"}},null,{"name":"current_step/head",' +
  '"role":"user","body":{"sha":"{"name":"current_step","role":"user","body":{"sha":"","bytes":,"preview":"",' +
  '"mime":"text/plain"}},null,{"name":"current_step/rules","role":"user","body":{"sha":"","bytes":,"preview":"",' +
  '"mime":"text/plain"}}]from: to: </message>\\n<step_number>time: 2026-11-\\n<task_state>\\ntask: ' +
  'running\\nstage 1: running; 1 idle 1 working 1 finished\\n</task_state>\\n{"number":1,"state":"failed",' +
  '"type":"tool","executor":"","call":{"key":"tool_name","name":"","arguments":{"form":"text","text":"{",' +
  '"body":null}},"result":{"text":{"form":"tool","text":"","body":{"sha":"","bytes":,"mime":"application/json"}},' +
  '"made":null},"failure":"","isReply":true,"decided":{"kind":"<think>","salt":""},"":{"/line":{"role":"",' +
  '"stage":"","content":"think:  – finished"},"salt":""},"":{"/result/text":"","/result/body/preview":"",' +
  '"salt":""},"":{"/intention":"","/text":"","salt":""}}\n{"before":{"sha":"","bytes":424},"item":{"number":1,' +
  '"state":"finished","type":"skill","executor":"think","intention":"","text":"","call":null,' +
  '"result":{"text":{"form":"text","text":"","body":{"sha":"","bytes":1024,"mime":"text/markdown"}},"made":null},' +
  '"failure":null}}</think>","salt":"","/call/answer/preview":"{"":{"/call/prompt/sections":[{"name":"history_ste' +
  'p","role":"user","body":{"sha":"","bytes":294,"preview":"{\\"v\\":1,\\"over\\":{\\"sha\\":\\"\\",' +
  '\\"bytes\\":424},\\"count\\":1,\\"ids\\":\\"\\",\\"coming\\":null,\\"comingCount\\":0,\\"view\\":[1,1,1,1],' +
  '\\"before\\":\\"\\",\\"after\\":{\\"sha\\":\\"\\",\\"bytes\\":255}}","mime":"application/vnd.convene.history+j' +
  'son"}},{"name":"steps_to_come","role":"user","body":{"sha":"","bytes":65,"preview":"<section ' +
  'name=\\"steps_to_come\\">\\n- #1 think: \\n</section>","mime":"text/plain"}},{"name":"current_step/now",' +
  '"role":"user","body":{"sha":"","bytes":194,"preview":"time: 2026-11-\\n<task_state>\\ntask: running\\nstage ' +
  '1: running; 1 working\\n</task_state>\\n<step_intention></step_intention>\\n<step_text></step_text>",' +
  '"mime":"text/plain"}}],'
