import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.anthropic import AnthropicChatCompletionClient
from autogen_ext.models.openai import OpenAIChatCompletionClient

from tools import api, base, functions, main, prompt, token, turns_max

info = {"vision": True, "function_calling": True, "json_output": False, "family": "unknown", "structured_output": False}


async def agent() -> str:
    model = (
        AnthropicChatCompletionClient(model="any-model", base_url=base, api_key=token, model_info=info)
        if api == "messages"
        else OpenAIChatCompletionClient(model="any-model", base_url=f"{base}/v1", api_key=token, model_info=info)
    )
    worker = AssistantAgent(
        "worker",
        model_client=model,
        tools=list(functions.values()),
        model_client_stream=True,
        max_tool_iterations=turns_max,
    )
    result = await worker.run(task=prompt)
    await model.close()
    return result.messages[-1].to_text()


main(lambda: asyncio.run(agent()))
