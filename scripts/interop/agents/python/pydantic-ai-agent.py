from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import UsageLimits

from tools import api, base, functions, main, prompt, token, turns_max

if api == "messages":
    model = AnthropicModel("any-model", provider=AnthropicProvider(base_url=base, api_key=token))
else:
    kind = OpenAIResponsesModel if api == "responses" else OpenAIChatModel
    model = kind("any-model", provider=OpenAIProvider(base_url=f"{base}/v1", api_key=token))


def run() -> str:
    agent = Agent(model, tools=list(functions.values()))
    return agent.run_sync(prompt, usage_limits=UsageLimits(request_limit=turns_max)).output


main(run)
