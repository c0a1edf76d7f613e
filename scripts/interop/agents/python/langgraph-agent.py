from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI

from tools import api, base, functions, main, prompt, token, turns_max

model = (
    ChatAnthropic(model="any-model", base_url=base, api_key=token, streaming=True)
    if api == "messages"
    else ChatOpenAI(
        model="any-model",
        base_url=f"{base}/v1",
        api_key=token,
        streaming=True,
        use_responses_api=api == "responses",
    )
)


def agent() -> str:
    tools = [StructuredTool.from_function(function) for function in functions.values()]
    graph = create_agent(model, tools)
    state = graph.invoke({"messages": [("user", prompt)]}, {"recursion_limit": 2 * turns_max})
    return state["messages"][-1].text


main(agent)
