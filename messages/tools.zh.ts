/** What the tools that come with the program do and take, for Chinese pages, by the first sentence of each description. */
export const TOOL_WORDS: Readonly<Record<string, string>> = {
  // The built-in server `agents`.
  'Sends a message to an agent of another system.': '向其他系统的智能体发送一条消息。对方稍后以消息答复。',
  'Asks an agent of another system for an action by its name, with parameters, such as get_status.':
    '请其他系统的智能体执行一项指定的操作，可带参数，例如 get_status。结果稍后以消息返回。',
  'Records that something worth knowing was reached in your own work.':
    '记录工作中达成的一个里程碑。获准查看检查点的其他系统能看到它，以及到目前为止的用量、费用和文件。',
  'Lists the agents of other systems, and the patterns of those, to whom a message can be sent.':
    '列出可以发送消息的其他系统的智能体及其地址规则。',
  'Whom to write to: agent://domain/agent-id': '收件智能体的地址，格式为 agent://域名/智能体 ID',
  'Whom to ask: agent://domain/agent-id': '被请求智能体的地址，格式为 agent://域名/智能体 ID',
  'A text, or a list of parts: text, image, code, file': '一段文本，或由文本、图片、代码、文件组成的列表',
  'Paths of files of the workspace to send along: the other system cannot read them there':
    '要随消息发送的工作区文件的路径；对方无法直接读取工作区',
  'The conversation to go on with; left out: a new one': '要继续的会话；不填则新建会话',
  'The name of the action': '操作的名称',
  'As that action wants them; left out: none': '该操作所需的参数；不填则没有参数',
  'What was reached, in one line': '用一行文字说明达成了什么',
  'Anything that belongs to it: branch, figures, links': '与之相关的内容：分支、数据、链接',
  // The file server that is installed with the program.
  'Read the complete contents of a file as text.': '以文本读取一个文件的全部内容。',
  'Read the complete contents of a file from the file system as text.':
    '以文本读取一个文件的全部内容，也可只读开头或结尾的若干行。',
  'Read a file and return it as a base64-encoded content block with its MIME type.': '读取图片、音频等文件。',
  'Read the contents of multiple files simultaneously.': '一次读取多个文件的内容。',
  'Create a new file or completely overwrite an existing file with new content.':
    '新建一个文件，或用新内容完全覆盖已有文件。',
  'Make line-based edits to a text file.': '按行修改一个文本文件，并显示改动。',
  'Create a new directory or ensure a directory exists.': '新建一个文件夹；已存在时不作改动。',
  'Get a detailed listing of all files and directories in a specified path.': '列出一个文件夹中的文件和子文件夹。',
  'Get a detailed listing of all files and directories in a specified path, including sizes.':
    '列出一个文件夹中的文件和子文件夹及其大小。',
  'Get a recursive tree view of files and directories as a JSON structure.': '列出一个文件夹及其所有下级内容。',
  'Move or rename files and directories.': '移动或重命名文件和文件夹；目标已存在时不执行。',
  'Recursively search for files and directories matching a pattern.': '按名称规则查找文件和文件夹。',
  'Retrieve detailed metadata about a file or directory.': '查看一个文件或文件夹的大小、时间和权限等信息。',
  'Returns the list of directories that this server is allowed to access.': '列出此工具服务器可以访问的文件夹。',
  'If provided, returns only the first N lines of the file': '填写后，只返回文件的前 N 行',
  'If provided, returns only the last N lines of the file': '填写后，只返回文件的最后 N 行',
  'Array of file paths to read.': '要读取的文件的路径列表，须在允许访问的文件夹内。',
  'Text to search for - must match exactly': '要查找的文本，须完全一致',
  'Text to replace with': '替换后的文本',
  'Preview changes using git-style diff format': '只以 diff 格式预览改动，不写入文件',
  'Sort entries by name or size': '按名称或大小排序',
}
