from anthropic import Anthropic

from tools import base, described, main, prompt, run_tool, token, turns_max

claude = Anthropic(base_url=base, api_key=token)


def agent() -> str:
    tools = [
        {"name": name, "description": description, "input_schema": parameters}
        for name, description, parameters in described
    ]
    tools[-1]["cache_control"] = {"type": "ephemeral"}
    messages = [{"role": "user", "content": [{"type": "text", "text": prompt}]}]
    for turn in range(turns_max):
        request = {"model": "any-model", "max_tokens": 4096, "tools": tools, "messages": messages}
        thinking = {"type": "enabled", "budget_tokens": 1024}
        if turn % 2 == 0:
            with claude.messages.stream(**request, thinking=thinking) as stream:
                answer = stream.get_final_message()
        else:
            answer = claude.messages.with_raw_response.create(**request, thinking=thinking).parse()
        messages.append({"role": "assistant", "content": answer.content})
        calls = [block for block in answer.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in answer.content if block.type == "text")
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": run_tool(call.name, call.input)}
            for call in calls
        ]
        messages.append({"role": "user", "content": results})
    raise RuntimeError("too many turns")


main(agent)
