import asyncio
import json

from openai import AsyncOpenAI, OpenAI

from openai_chat import converse
from tools import api, base, described, main, prompt, run_tool, token, turns_max

async def responses() -> str:
    """Asynchronous, streamed by the SDK's own helper."""
    tools = [
        {"type": "function", "name": name, "description": description, "parameters": parameters, "strict": False}
        for name, description, parameters in described
    ]
    items = [{"role": "user", "content": prompt}]
    async with AsyncOpenAI(base_url=f"{base}/v1", api_key=token) as client:
        for _ in range(turns_max):
            async with client.responses.stream(model="any-model", input=items, tools=tools, store=False) as stream:
                async for _event in stream:
                    pass
                answer = await stream.get_final_response()
            calls = [item for item in answer.output if item.type == "function_call"]
            if not calls:
                return answer.output_text
            items += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in answer.output]
            for call in calls:
                output = run_tool(call.name, json.loads(call.arguments))
                items.append({"type": "function_call_output", "call_id": call.call_id, "output": output})
    raise RuntimeError("too many turns")


main(lambda: asyncio.run(responses()) if api == "responses" else converse(OpenAI(base_url=f"{base}/v1", api_key=token)))
