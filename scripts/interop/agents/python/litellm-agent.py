import json
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

from litellm import completion, stream_chunk_builder

from tools import api, base, described, main, prompt, run_tool, token, turns_max

model, address = ("anthropic/any-model", base) if api == "messages" else ("openai/any-model", f"{base}/v1")


def agent() -> str:
    tools = [
        {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
        for name, description, parameters in described
    ]
    messages = [{"role": "user", "content": prompt}]
    for _ in range(turns_max):
        chunks = list(
            completion(model=model, api_base=address, api_key=token, messages=messages, tools=tools, stream=True)
        )
        message = stream_chunk_builder(chunks, messages=messages).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            result = run_tool(call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    raise RuntimeError("too many turns")


main(agent)
