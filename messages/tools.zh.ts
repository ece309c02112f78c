/** What the tools that come with the program do, for Chinese pages, by the first sentence of their descriptions. */
export const TOOL_EFFECTS: Readonly<Record<string, string>> = {
  // The built-in server `agents`.
  'Sends a message to an agent of another system.': '向其他系统的智能体发送一条消息。对方稍后以消息答复。',
  'Asks an agent of another system for an action by its name, with parameters, such as get_status.':
    '请其他系统的智能体执行一项指定的操作，可带参数，例如 get_status。结果稍后以消息返回。',
  'Records that something worth knowing was reached in your own work.':
    '记录工作中达成的一个里程碑。获准查看检查点的其他系统能看到它，以及到目前为止的用量、费用和文件。',
  'Lists the agents of other systems, and the patterns of those, to whom a message can be sent.':
    '列出可以发送消息的其他系统的智能体及其地址规则。',
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
}
