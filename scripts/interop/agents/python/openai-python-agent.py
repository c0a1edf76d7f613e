import asyncio
import json

from openai import AsyncOpenAI, OpenAI

from tools import api, base, described, main, prompt, run_tool, token, turns_max

gpt = OpenAI(base_url=f"{base}/v1", api_key=token)


def chat() -> str:
    """Synchronous and streamed, with the raw answer."""
    tools = [
        {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
        for name, description, parameters in described
    ]
    messages = [{"role": "user", "content": prompt}]
    for _ in range(turns_max):
        with gpt.chat.completions.with_streaming_response.create(
            model="any-model", messages=messages, tools=tools, stream=True, stream_options={"include_usage": True}
        ) as raw:
            text, calls = "", {}
            for chunk in raw.parse():
                for choice in chunk.choices:
                    text += choice.delta.content or ""
                    for part in choice.delta.tool_calls or []:
                        call = calls.setdefault(part.index, {"id": "", "name": "", "arguments": ""})
                        call["id"] += part.id or ""
                        call["name"] += part.function.name or ""
                        call["arguments"] += part.function.arguments or ""
        if not calls:
            return text
        made = [
            {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}}
            for c in calls.values()
        ]
        messages.append({"role": "assistant", "content": text or None, "tool_calls": made})
        for call in calls.values():
            result = run_tool(call["name"], json.loads(call["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    raise RuntimeError("too many turns")


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


main(lambda: asyncio.run(responses()) if api == "responses" else chat())
