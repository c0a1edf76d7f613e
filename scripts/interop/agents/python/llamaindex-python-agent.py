import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.tools import FunctionTool
from llama_index.llms.anthropic import Anthropic
from llama_index.llms.openai_like import OpenAILike

from tools import api, base, functions, main, prompt, token, turns_max

model = (
    Anthropic(model="claude-sonnet-4-0", base_url=base, api_key=token)
    if api == "messages"
    else OpenAILike(
        model="any-model", api_base=f"{base}/v1", api_key=token, is_chat_model=True, is_function_calling_model=True
    )
)


async def agent() -> str:
    tools = [FunctionTool.from_defaults(fn=function) for function in functions.values()]
    worker = FunctionAgent(tools=tools, llm=model, allow_parallel_tool_calls=True)
    return str(await worker.run(prompt, max_iterations=turns_max))


main(lambda: asyncio.run(agent()))
