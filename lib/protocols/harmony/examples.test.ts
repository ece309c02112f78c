/** The examples of the Harmony document, as they stand there; only its comments and elisions are taken out to make JSON of them. */
import { expect, it } from 'vitest'
import { CitationMap } from './citation'
import { HandoffPacket } from './handoff'
import { HarmonyMessage, HarmonyMetadata, HarmonyPart, listProblems } from './message'
import { readToolContent } from './test/readToolContent'

const TEXT = `{
  "type": "text",
  "text": "根据用户上传的图片,我测到了明显的裂痕。",
  "index": 0
}`
const IMAGE = `{
  "type": "image_url",
  "image_url": {
    "url": "https://s3.amazonaws.com/bucket/invoice_scan_01.jpg",
    "detail": "high", // 选项: low (85 tokens), high (按 tiles 计算), auto
    "rotation": 0     // [扩展] 预处理旋转角度,防止模型看歪
  }
}`
const FRAME = `{
  "type": "image_url",
  "image_url": { "url": "..." },
  "video_metadata": {           // [扩展字段]
    "video_id": "vid_abc",
    "timestamp_sec": 12.5,      // 该帧在视频中的秒数
    "frame_index": 300
  }
}`
const AUDIO = `{
  "type": "input_audio",
  "input_audio": {
    "data": "base64_string...", // PCM 原始数据或压缩格式
    "format": "wav",
    "sample_rate": 24000
  }
}`
const CALL = `{
  "role": "assistant",
  "content": null, // 或者是 "我将为您查询天气..."
  "tool_calls": [
    {
      "id": "call_890xyz",
      "type": "function",
      "function": {
        "name": "search_knowledge_base",
        "arguments": "{\\"keywords\\": [\\"Transformer architecture\\", \\"Attention mechanism\\"], \\"year_filter\\": 2023}"
      }
    }
  ]
}`
const SUCCESS = `{
  "role": "tool",
  "tool_call_id": "call_890xyz",
  "name": "search_knowledge_base",
  "content": "{\\"status\\": \\"success\\", \\"results\\": [{\\"title\\": \\"Attention is All You Need\\", \\"snippet\\": \\"...\\"}]}"
}`
const FAILURE = `{
  "role": "tool",
  "tool_call_id": "call_890xyz",
  "content": "{\\"status\\": \\"error\\", \\"error_type\\": \\"InvalidDateRange\\", \\"message\\": \\"The year 2023 is in the future relative to the database snapshot (2022). Please try an earlier year.\\"}"
}`
const CHART = `{
  "role": "tool",
  "tool_call_id": "call_render_chart",
  "content": [
    { "type": "text", "text": "{\\"status\\": \\"rendered_successfully\\"}" },
    { "type": "image_url", "image_url": { "url": "https://.../chart_temp.png" } }
  ]
}`
const HALTED = `{ "role": "tool", "tool_call_id": "call_delete_db_123", "content": "{\\"status\\": \\"halted\\", \\"reason\\": \\"human_confirmation_required\\", \\"message\\": \\"This is a high-risk operation. You MUST ask the user for explicit confirmation (type 'YES') before proceeding. Do not execute this tool again until confirmation is received.\\"}" }`
const HANDOFF = `{
  "protocol": "harmony_handoff_v1",
  "meta": {
    "source_agent": "planner_v2",
    "target_agent": "coder_v1",
    "timestamp": "2024-03-20T10:00:00Z"
  },
  "context": {
    // 1. 任务目标(不可变)
    "primary_objective": "为用户构建一个 Python 贪吃蛇游戏",

    // 2. 当前进度
    "status": "in_progress",
    "completed_steps": ["需求分析", "技术选型(Pygame)"],
    "next_immediate_step": "编写核心游戏循环代码",

    // 3. 关键约束 (Memory)
    "constraints": [
      "必须有详细注释",
      "背景颜色设为黑色"
    ],

    // 4. 共享资产 (Artifacts) - 避免重复上传/下载
    "artifacts": {
      "design_doc": "s3://.../spec.md",
      "assets_folder": "./assets/"
    }
  },
  // 5. [可选] 压缩后的对话历史摘要
  "history_summary": "用户最初要求3D游戏,经协商确认为2D版本..."
}`
const CITATIONS = `{
  "citation_map": {
    "cit_01": {
      "source_type": "pdf_document",
      "source_id": "doc_fin_report_2023",
      "source_name": "2023_Financial_Report.pdf",
      "location": {
        "page_number": 42,
        "bbox": [100, 200, 500, 600], // [x1, y1, x2, y2] 用于前端在 PDF 上画框
        "text_snippet": "Revenue increased by 20% YoY." // 用于校验
      },
      "score": 0.89 // 检索相关性分数
    },
    "cit_02": {
      "source_type": "web_search",
      "url": "https://wikipedia.org/...",
      "access_date": "2024-03-20"
    }
  }
}`
const METADATA = `{
  // 成本追踪
  "token_usage": {
    "prompt_tokens": 500,
    "completion_tokens": 150,
    "total_cost_usd": 0.002
  },

  // 延迟追踪
  "latency_ms": {
    "ttft": 400,        // Time to First Token
    "total_time": 1200
  },

  // 模型指纹
  "model_version": "gpt-4-vision-preview-2024-04-09",
  "system_fingerprint": "fp_12345",

  // 业务上下文
  "session_id": "sess_user_999",
  "trace_id": "trace_uuid_v4", // 关联到 Datadog/LangSmith

  // 安全标记
  "safety_check": {
    "flagged": false,
    "categories": []
  }
}`

/** Comments stand at the end of a line after a blank, or fill it; an address has no blank before its slashes. */
const json = (text: string): unknown => JSON.parse(text.replace(/(^|\s)\/\/.*$/gm, ''))

it.each([TEXT, IMAGE, FRAME, AUDIO])('H-03 a part of the document is read as it is (%#)', (text) => {
  expect(HarmonyPart.parse(json(text))).toEqual(json(text))
})

it.each([CALL, SUCCESS, FAILURE, CHART, HALTED])(
  'H-04 and H-05 a message of the document is read as it is (%#)',
  (text) => {
    expect(HarmonyMessage.parse(json(text))).toEqual(json(text))
  },
)

it('H-05 the document’s call and its answer make a right list', () => {
  const list = [CALL, SUCCESS].map((text) => HarmonyMessage.parse(json(text)))
  expect(listProblems(list)).toEqual([])
})

it('H-24 and H-34 what its tools say is understood', () => {
  const said = [FAILURE, HALTED].map((text) => {
    const { content } = HarmonyMessage.parse(json(text))
    return typeof content === 'string' ? readToolContent(content) : null
  })
  expect(said).toMatchObject([
    { status: 'error', error_type: 'InvalidDateRange' },
    { status: 'halted', reason: 'human_confirmation_required' },
  ])
})

it('H-06 its handoff packet is one', () => {
  expect(HandoffPacket.parse(json(HANDOFF))).toEqual(json(HANDOFF))
})

it('H-07 its citations are read as they are', () => {
  const map = Object(json(CITATIONS)).citation_map
  expect(CitationMap.parse(map)).toEqual(map)
})

it('H-08 its metadata is read as it is', () => {
  expect(HarmonyMetadata.parse(json(METADATA))).toEqual(json(METADATA))
})
