import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["OTEL_SDK_DISABLED"] = "true"

from crewai import LLM, Agent
from crewai.tools import tool

from tools import api, base, functions, main, prompt, token, turns_max

model = (
    LLM(model="anthropic/claude-sonnet-4-0", base_url=base, api_key=token, stream=True)
    if api == "messages"
    else LLM(model="openai/gpt-5", base_url=f"{base}/v1", api_key=token, stream=True)
)


def agent() -> str:
    worker = Agent(
        role="worker",
        goal="Do what the person asks.",
        backstory="You use tools.",
        llm=model,
        tools=[tool(name)(function) for name, function in functions.items()],
        max_iter=turns_max,
    )
    return worker.kickoff(prompt).raw


main(agent)
