from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

from tools import api, base, functions, main, prompt, token, turns_max

# Tracing goes to api.openai.com, past the base URL.
set_tracing_disabled(True)
kind = OpenAIResponsesModel if api == "responses" else OpenAIChatCompletionsModel
model = kind("any-model", openai_client=AsyncOpenAI(base_url=f"{base}/v1", api_key=token))


def run() -> str:
    tools = [function_tool(tool) for tool in functions.values()]
    agent = Agent("agent", model=model, tools=tools)
    return Runner.run_sync(agent, prompt, max_turns=turns_max).final_output


main(run)
