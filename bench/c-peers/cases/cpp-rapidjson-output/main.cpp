#include <cstdio>

#include "rapidjson/document.h"
#include "rapidjson/pointer.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

static const char* const text = "{ \"name\": \"crate\", \"sizes\": [1, 25e-1, -3e2], \"tags\": { \"fragile\": null } }";

static void add_sizes(rapidjson::Document& document) {
    double sum = 0;
    for (const auto& size : document["sizes"].GetArray()) sum += size.GetDouble();
    rapidjson::Pointer("/sizes/-").Set(document, 4096);
    rapidjson::Pointer("/total").Set(document, sum);
}

int main() {
    rapidjson::Document document;
    if (document.Parse(text).HasParseError()) return 2;
    add_sizes(document);
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    document.Accept(writer);
    std::puts(buffer.GetString());
    return 0;
}
